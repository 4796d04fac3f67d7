// Answers of the server that come line by line, each line a value in JSON.

/**
 * Sends a request and reads its answer as it comes. Gives what went wrong, in words, or nothing.
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} signal
 * @param {(value: any) => void} each
 * @returns {Promise<string | null>}
 */
export async function readLines(path, body, signal, each) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!answer.ok || !answer.body) {
    const json = await answer.json().catch(() => null);
    return json?.error?.message ?? "";
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return null;
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") continue;
      const json = JSON.parse(line);
      if (json.error) return json.error.message;
      each(json);
    }
  }
}
