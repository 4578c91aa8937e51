import { useAnswer } from "../answers.ts";

/**
 * The tasks with this number, or this text in their titles. While the server looks, those of the
 * previous text.
 */
export function useFoundTasks(text: string, at?: { readonly at: undefined }) {
  const sought = text.trim();
  const {
    answer = [],
    isOld,
    isLoading,
    error,
  } = useAnswer("find_tasks", { text: sought }, { enabled: sought !== "", ...at });
  const isSought = sought !== "";
  return { tasks: isSought ? answer : [], isWaiting: isSought && (isOld || isLoading), error };
}
