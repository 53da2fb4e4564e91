//! Heat maps: the effects of patches by rows and columns.

use std::fmt::Write as _;

use crate::svg::escaped;

/// The width of a character of the names, in pixels.
const CHARACTER: usize = 7;
const MARGIN: usize = 16;
/// The height of a row and the width of a column.
const SIDE: usize = 16;
/// The space of the titles above the rows.
const HEAD: usize = 40;
/// The space between panels.
const GAP: usize = 16;

/// The classes of squares, with their opacity in the legend and their meaning.
const LEGEND: [(&str, usize, &str); 3] =
    [("none", 100, "no effect"), ("some", 70, "changes the score"), ("all", 100, "restores the donor's")];

/// Colors are variables, so that a page that shows the picture can set its own.
const STYLE: &str = "\
.psl-heat{--heat-page:#fff;--heat-ink:#1f2328;--heat-faint:#6e7781;--heat-none:#eaeef2;--heat-some:#0969da;--heat-all:#bc4c00;\
font:11px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}\
@media(prefers-color-scheme:dark){.psl-heat{--heat-page:#0d1117;--heat-ink:#e6edf3;--heat-faint:#8b949e;--heat-none:#21262d;\
--heat-some:#58a6ff;--heat-all:#f0883e}}\
.psl-heat .page{fill:var(--heat-page)}.psl-heat text{fill:var(--heat-ink)}.psl-heat .faint{fill:var(--heat-faint)}\
.psl-heat .middle{text-anchor:middle}.psl-heat .end{text-anchor:end}\
.psl-heat .panel{fill:none;stroke:var(--heat-none)}\
.psl-heat .none{fill:var(--heat-none)}.psl-heat .some{fill:var(--heat-some)}.psl-heat .all{fill:var(--heat-all)}";

/// Effects by rows and columns, in panels that share their rows.
#[derive(Debug)]
pub struct HeatMap {
    /// One sentence about the whole.
    pub summary: String,
    /// The largest effect.
    pub most: usize,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The panels, from left to right.
    pub panels: Vec<Panel>,
}

/// A panel of a heat map.
#[derive(Debug)]
pub struct Panel {
    /// The name above it.
    pub name: String,
    /// The short names of its columns.
    pub columns: Vec<String>,
    /// The squares. All other places are empty.
    pub cells: Vec<HeatCell>,
}

/// A square of a panel.
#[derive(Debug)]
pub struct HeatCell {
    /// The index of the row.
    pub row: usize,
    /// The index of the column.
    pub column: usize,
    /// The effect, up to the largest one.
    pub effect: usize,
    /// Whether the effect is the one that is looked for.
    pub restores: bool,
    /// The tooltip.
    pub title: String,
}

/// A heat map as SVG, for light and dark.
pub fn heat_map(map: &HeatMap) -> String {
    let text_width = |text: &String| text.chars().count() * CHARACTER;
    let left = MARGIN + map.rows.iter().map(text_width).max().unwrap_or_default() + 8;
    let mut x = left;
    let mut body = String::new();
    for (row, name) in map.rows.iter().enumerate() {
        let _ = writeln!(body, "<text class=\"end\" x=\"{}\" y=\"{}\">{}</text>", left - 8, y(row) + 12, escaped(name));
    }
    for panel in &map.panels {
        let (width, height) = (panel.columns.len() * SIDE, map.rows.len() * SIDE);
        let _ = writeln!(
            body,
            "<rect class=\"panel\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            x - 1,
            y(0) - 1,
            width + 1,
            height + 1
        );
        draw(panel, map.most, x, &mut body);
        x += width.max(text_width(&panel.name)) + GAP;
    }
    let legend_top = y(map.rows.len()) + GAP;
    let mut legend_x = left;
    for (class, opacity, name) in LEGEND {
        square(&mut body, class, opacity, (legend_x, legend_top), name);
        let _ = writeln!(
            body,
            "<text class=\"faint\" x=\"{}\" y=\"{}\">{name}</text>",
            legend_x + SIDE + 4,
            legend_top + 12
        );
        legend_x += SIDE + text_width(&name.to_owned()) + 2 * GAP;
    }
    let total = x.max(legend_x) - GAP + MARGIN;
    let height = legend_top + SIDE + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"psl-heat\" viewBox=\"0 0 {total} {height}\" width=\"{total}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{}\">\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{total}\" height=\"{height}\"/>\n{body}</svg>\n",
        escaped(&map.summary)
    )
}

/// The top of a row.
const fn y(row: usize) -> usize {
    MARGIN + HEAD + row * SIDE
}

fn draw(panel: &Panel, most: usize, left: usize, svg: &mut String) {
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{}\">{}</text>", MARGIN + 12, escaped(&panel.name));
    let middle = |column: usize| left + column * SIDE + SIDE / 2;
    for (column, name) in panel.columns.iter().enumerate() {
        // A longer name would run into its neighbor.
        let short: String = name.chars().take(2).collect();
        let _ = writeln!(
            svg,
            "<text class=\"faint middle\" x=\"{}\" y=\"{}\">{}<title>{}</title></text>",
            middle(column),
            MARGIN + HEAD - 6,
            escaped(&short),
            escaped(name)
        );
    }
    for HeatCell { row, column, effect, restores, title } in &panel.cells {
        let (class, opacity) = match (restores, *effect) {
            (true, _) => ("all", 100),
            (false, 0) => ("none", 100),
            (false, effect) => ("some", 25 + 75 * effect / most.max(1)),
        };
        square(svg, class, opacity, (left + column * SIDE, y(*row)), title);
    }
}

fn square(svg: &mut String, class: &str, percent: usize, (x, y): (usize, usize), title: &str) {
    let side = SIDE - 1;
    let opacity = if percent < 100 { format!(" fill-opacity=\"{percent}%\"") } else { String::new() };
    let _ = writeln!(
        svg,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"{opacity}><title>{}</title></rect>",
        escaped(title)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_show_effects() {
        let cell =
            |column, effect, restores| HeatCell { row: 0, column, effect, restores, title: format!("<{column}>") };
        let cells = vec![cell(0, 0, false), cell(1, 2, false), cell(2, 4, true)];
        let columns = ["A", "long", "&"].map(str::to_owned).to_vec();
        let panel = Panel { name: "symbol".to_owned(), columns, cells };
        let map =
            HeatMap { summary: "3 \"patches\"".to_owned(), most: 4, rows: vec!["P1".to_owned()], panels: vec![panel] };
        let svg = heat_map(&map);
        for part in [
            "aria-label=\"3 &quot;patches&quot;\"",
            "class=\"none\" x=\"38\" y=\"56\" width=\"15\" height=\"15\"><title>&lt;0&gt;</title>",
            "class=\"some\" x=\"54\" y=\"56\" width=\"15\" height=\"15\" fill-opacity=\"62%\"><title>&lt;1&gt;</title>",
            "class=\"all\" x=\"70\" y=\"56\" width=\"15\" height=\"15\"><title>&lt;2&gt;</title>",
            ">lo<title>long</title></text>",
            ">&amp;<title>&amp;</title></text>",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }
}
