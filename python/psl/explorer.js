// Links the explorer's pages in outputs with the widget in the kernel: the place goes both ways, and the pages get the theme.
export default {
  initialize({ model }) {
    const name = model.get("frame");
    const pages = new Set();
    // The page whose place the model is taking. It must not get it back, or the two would answer each other forever.
    let teller = null;
    const theme = () => {
      const light = document.body.dataset.jpThemeLight;
      return light === undefined ? {} : { dark: light === "false" };
    };
    const send = (page, message) => page.postMessage({ psl: name, ...message }, "*");
    const place = () => ({ cell: model.get("cell"), row: model.get("row") });
    const sendPlace = () => pages.forEach((page) => page !== teller && send(page, place()));
    const sendTheme = () => pages.forEach((page) => send(page, theme()));
    const take = ({ data, source }) => {
      if (data?.psl !== name) return;
      if (!pages.has(source)) {
        pages.add(source);
        send(source, theme());
        // A place that the kernel has set already is the one to show.
        if (model.get("cell") !== null) return send(source, place());
      }
      if (data.cell === undefined) return;
      teller = source;
      model.set({ cell: data.cell, row: data.row });
      teller = null;
      model.save_changes();
    };
    const themes = new MutationObserver(sendTheme);
    themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    window.addEventListener("message", take);
    model.on("change:cell", sendPlace);
    model.on("change:row", sendPlace);
    // A page may be there before this model, so ask it to name itself again.
    for (const frame of document.getElementsByName(name)) send(frame.contentWindow, { hello: true });
    return () => {
      window.removeEventListener("message", take);
      themes.disconnect();
    };
  },
};
