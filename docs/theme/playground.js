// Adds Run and Edit to the programs that scripts/book has put into a page. The playground loads when a reader presses one of them.
(() => {
  "use strict";
  // All pages at once have the same exercises as the pages themselves.
  if (location.pathname.endsWith("/print.html")) return;
  const SITE = new URL("../playground/", document.currentScript.src);
  const KEY = "psl book";
  const TEST = /^\s*(?:\/\/|#)@\s*test\b.*$/gm;

  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const button = (text, name, press) => {
    const made = make("button", { type: "button", onclick: press }, text);
    if (name) made.setAttribute("aria-label", name);
    return made;
  };

  // What the reader has done, by the path of a page and the name of a step: {of, solved: [STEP], texts: {STEP: {start, text}}}.
  const isObject = (value) => typeof value === "object" && value !== null;
  // What the browser does not keep lasts as long as the page.
  let unkept;
  const progress = {
    read() {
      if (unkept) return unkept;
      try {
        const { pages } = JSON.parse(localStorage.getItem(KEY));
        return isObject(pages) ? pages : {};
      } catch {
        return {};
      }
    },
    page(path = location.pathname, pages = this.read()) {
      const { of, solved, texts } = pages[path] ?? {};
      return { of: Number(of) || 0, solved: Array.isArray(solved) ? solved : [], texts: isObject(texts) ? texts : {} };
    },
    change(change) {
      const pages = this.read();
      const page = { ...this.page(), ...change };
      pages[location.pathname] = { ...page, of: steps.filter((step) => step.program.exercise).length };
      this.write(pages);
    },
    write(pages) {
      try {
        localStorage.setItem(KEY, JSON.stringify({ version: 1, pages }));
        unkept = undefined;
      } catch {
        unkept = pages;
      }
      showProgress();
    },
    forget() {
      if (confirm("Forget which exercises of this book are solved, and what you have changed in its programs?")) this.write({});
    },
  };

  let loading;
  const load = () => {
    if (location.protocol === "file:") {
      const folder = "python3 -m http.server in the folder of the book, then open http://localhost:8000/";
      return Promise.reject(new Error(`Programs run on pages from a server: ${folder}`));
    }
    loading ??= new Promise((resolve, reject) => {
      const script = make("script", { src: new URL("book.js", SITE), onload: () => resolve(pslBook) });
      script.onerror = () => {
        loading = undefined;
        script.remove();
        reject(new Error("The playground did not load: check the connection, then try again"));
      };
      document.head.append(script);
    });
    return loading;
  };

  // The step whose program runs, and the step whose program is edited.
  let running, edited;

  class Step {
    constructor(data, index) {
      this.program = JSON.parse(data.dataset.program);
      this.id = this.program.exercise ? this.program.name : `${index + 1} ${this.program.name}`;
      const what = this.program.exercise ? "this exercise" : "this program";
      this.stop = Object.assign(button("Stop", "Stop this run", () => this.end()), { hidden: true });
      this.edit = button("Edit", `Edit ${what}`, () => this.open());
      this.state = make("span", { className: "psl-state" });
      // The arrows scroll here. Elsewhere, they turn pages.
      this.output = make("pre", { tabIndex: 0, hidden: true, onkeydown: (event) => event.stopPropagation() });
      this.output.setAttribute("aria-label", "Result");
      const status = make("div", { className: "psl-result" }, this.output);
      status.setAttribute("role", "status");
      this.start = button("Run", `Run ${what}`, () => this.run());
      let block = data.nextElementSibling;
      if (!block.matches("pre")) block = block.querySelector("pre");
      block.after(make("div", { className: "psl-actions" }, this.start, this.edit, this.stop), status);
      if (this.program.exercise) this.stop.after(this.state);
      if (this.program.exercise) block.classList.add("psl-exercise");
      this.block = block;
    }

    say(text, isBusy = false) {
      this.output.hidden = false;
      this.output.textContent = text;
      if (!isBusy && document.activeElement === this.stop) this.start.focus();
      this.stop.hidden = !isBusy;
      this.output.parentElement.setAttribute("aria-busy", isBusy);
    }

    async run() {
      running?.end();
      running = this;
      this.say("Running …", true);
      const stopped = new Promise((_, reject) => {
        this.halt = reject;
      });
      let text;
      try {
        text = await Promise.race([load().then((book) => book.run(this.program)), stopped]);
      } catch (error) {
        text = error.message;
      }
      if (running === this) running = undefined;
      this.say(text);
    }

    end() {
      this.halt(new Error("Stopped"));
      globalThis.pslBook?.stop();
    }

    // The program as the reader has left it, unless the page has changed since.
    get text() {
      const kept = progress.page().texts[this.id];
      return kept?.start === this.program.text && typeof kept.text === "string" ? kept.text : this.program.text;
    }

    async open(text = this.text) {
      try {
        const { name, prompt, exercise } = this.program;
        const panel = exercise ? "tests" : "runs";
        const fragment = await (await load()).toFragment({ name, text, prompt, panel });
        if (fragment === null) throw new Error("The program is too long to open here");
        pane.open(this, fragment);
      } catch (error) {
        this.say(error.message);
      }
    }

    // Keeps the reader's text.
    keep(text) {
      const texts = { ...progress.page().texts, [this.id]: { start: this.program.text, text } };
      if (text === this.program.text) delete texts[this.id];
      progress.change({ texts });
    }

    // Takes the results of the tests in the reader's text. Those of the exercise must still be among them.
    tested({ passed, failed, text }) {
      const { solved } = progress.page();
      const tests = this.program.text.match(TEST) ?? [];
      const lines = new Set(text.split("\n").map((line) => line.trim()));
      const isSolved = failed === 0 && passed >= Math.max(1, tests.length) && tests.every((test) => lines.has(test.trim()));
      if (!this.program.exercise) return;
      pane.say(isSolved ? "✓ Solved: all tests pass" : "");
      if (isSolved && !solved.includes(this.id)) progress.change({ solved: [...solved, this.id] });
    }

    show(solved) {
      if (!this.program.exercise) return;
      const isSolved = solved.includes(this.id);
      this.state.textContent = isSolved ? "✓ Solved" : "Not solved yet";
      this.block.classList.toggle("psl-solved", isSolved);
      this.state.classList.toggle("psl-solved", isSolved);
    }
  }

  // The playground beside the page.
  const pane = {
    wide: matchMedia("(min-width: 1100px)"),

    open(step, fragment) {
      edited = step;
      if (!this.element) this.create();
      this.title.textContent = step.program.exercise ? "Exercise" : "Playground";
      this.say("");
      this.frame?.remove();
      this.frame = make("iframe", { title: "Playground" });
      const dark = /\b(coal|navy|ayu)\b/.test(document.documentElement.className) ? "dark" : "light";
      this.frame.src = new URL(`index.html?embed&theme=${dark}${fragment}`, SITE);
      this.frame.onload = () => this.frame.contentWindow.addEventListener("keydown", (event) => this.key(event));
      this.element.append(this.frame);
      this.element.hidden = false;
      document.documentElement.classList.add("psl-beside");
      this.cover();
      this.closing.focus();
      step.edit.scrollIntoView({ block: "center" });
    },

    create() {
      this.closing = button("Close", "Close the playground", () => this.close());
      this.again = button("Start over", "", () => edited.open(edited.program.text));
      this.title = make("strong", {});
      this.status = make("span", { className: "psl-solved" });
      this.status.setAttribute("role", "status");
      const bar = make("div", { className: "psl-bar" }, this.title, this.status, this.again, this.closing);
      this.element = make("section", { className: "psl-pane", onkeydown: (event) => this.key(event) }, bar);
      this.element.setAttribute("aria-label", "Playground");
      document.body.append(this.element);
      this.wide.addEventListener("change", () => this.cover());
      addEventListener("message", ({ source, origin, data }) => {
        if (!this.frame || source !== this.frame.contentWindow || origin !== location.origin) return;
        if (typeof data?.text !== "string") return;
        if (data.psl === "text") edited.keep(data.text);
        if (data.psl === "tests") edited.tested(data);
      });
    },

    say(text) {
      this.status.textContent = text;
    },

    // Takes the page below a narrow screen's playground out of the order of focus.
    cover() {
      document.getElementById("mdbook-body-container").inert = !this.element.hidden && !this.wide.matches;
    },

    key(event) {
      // Escape first closes what is open in the playground.
      const isOfFrame = event.view !== window && event.view.document.querySelector("dialog[open], [role=menu], .cm-tooltip, .cm-panel");
      if (event.key === "Escape" && !event.defaultPrevented && !isOfFrame) this.close();
    },

    close() {
      this.frame.remove();
      this.frame = undefined;
      this.element.hidden = true;
      document.documentElement.classList.remove("psl-beside");
      this.cover();
      edited.edit.focus();
      edited = undefined;
    },
  };

  const steps = [...document.querySelectorAll(".psl-program")].map((data, index) => new Step(data, index));
  const forget = button("Forget my progress", "", () => progress.forget());
  steps.findLast((step) => step.program.exercise)?.state.after(forget);

  // The marks in the list of pages.
  function showProgress() {
    const pages = progress.read();
    const { solved, texts } = progress.page(location.pathname, pages);
    for (const step of steps) step.show(solved);
    forget.hidden = !solved.length && !Object.keys(texts).length;
    for (const mark of document.querySelectorAll(".psl-mark")) mark.remove();
    for (const link of document.querySelectorAll("#mdbook-sidebar a[href]:not([href*='#'])")) {
      const { of, solved } = progress.page(new URL(link.href).pathname, pages);
      if (!solved.length) continue;
      const isDone = solved.length >= of;
      const mark = make("span", { className: "psl-mark" }, isDone ? " ✓" : ` ${solved.length}/${of}`);
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", isDone ? "solved" : `${solved.length} of ${of} exercises solved`);
      link.append(mark);
    }
  }
  showProgress();
  addEventListener("storage", ({ key }) => key === KEY && showProgress());
})();
