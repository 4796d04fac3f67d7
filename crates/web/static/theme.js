// Runs before the page is painted: the remembered choice of light or dark, and its switch; the menu
// of narrow windows.
(() => {
  const root = document.documentElement;
  const kept = () => {
    try {
      return localStorage.getItem("kiban-theme");
    } catch {
      return null;
    }
  };
  const choice = kept();
  if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  root.classList.add("js");
  document.addEventListener("DOMContentLoaded", () => {
    const menu = document.getElementById("menu");
    const open = (/** @type {boolean} */ wanted) => menu?.setAttribute("aria-expanded", String(wanted));
    const isOpen = () => menu?.getAttribute("aria-expanded") === "true";
    menu?.addEventListener("click", () => open(!isOpen()));
    document.addEventListener("click", (event) => {
      const within = /** @type {Element} */ (event.target).closest("#menu, #nav");
      if (!within) open(false);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !isOpen()) return;
      open(false);
      menu?.focus();
    });
    const button = document.getElementById("theme");
    button?.addEventListener("click", () => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const next = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
      root.dataset.theme = next;
      try {
        localStorage.setItem("kiban-theme", next);
      } catch {
        // The switch works for this page alone then.
      }
    });
  });
})();
