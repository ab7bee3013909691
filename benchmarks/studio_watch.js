/** Put into the studio's page by `studio.py`: when is a face on the screen, and how does it scroll? */

globalThis.deckwrightWatch = (() => {
  let card = "";
  let shown;
  let tell = () => {};

  /** Call back when a picture is decoded and a frame was drawn with it. */
  async function painted(picture) {
    const source = picture.src;
    await picture.decode().catch(() => {});
    if (picture.src !== source) return;
    requestAnimationFrame(() => setTimeout(() => tell(Date.now())));
  }

  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const key = target.closest?.(".tile")?.dataset.key ?? "";
      if (target.matches?.("img:not(.before)") && key.split(":")[1] === card) painted(target);
    }
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ["src"] });

  return {
    expect(id) {
      card = id;
      shown = new Promise((done) => (tell = done));
    },
    shown: (patience) => Promise.race([shown, new Promise((done) => setTimeout(done, patience, null))]),

    /** Scroll to the end; give the long tasks and the time between frames, in milliseconds. */
    async scroll() {
      const tasks = [];
      const frames = [];
      const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
      observer.observe({ type: "longtask" });
      const root = document.scrollingElement;
      for (let last = performance.now(); root.scrollTop + innerHeight < root.scrollHeight - 2;) {
        root.scrollTop += 120;
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - last);
        last = now;
      }
      await new Promise((done) => setTimeout(done, 500));
      return [tasks, frames];
    },
  };
})();
