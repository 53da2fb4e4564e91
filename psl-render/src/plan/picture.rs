//! A plan as a picture: layers as rows, heads as boxes, and lines for what flows between them.

use std::{collections::BTreeMap, fmt::Write as _};

use psl_program::Plan;
use psl_syntax::program::Program;

use super::text::plan_summary;
use crate::svg::escaped;

/// The width of a character of a name, in pixels.
const CHARACTER: usize = 7;
const MARGIN: usize = 16;
/// The column of the layers' numbers.
const NUMBERS: usize = 48;
const BOX_HEIGHT: usize = 36;
const ROW: usize = 56;
/// The space between heads of a layer.
const GAP: usize = 20;
/// The space of each level of repeat blocks around a layer.
const FRAME: usize = 10;
/// The maximum number of characters of the registers in a box.
const MOST_WRITES: usize = 26;

/// Colors are variables, so that a page that shows the picture can set its own.
const STYLE: &str = "\
.psl-plan{--plan-page:#fff;--plan-ink:#1f2328;--plan-faint:#6e7781;--plan-box:#f6f8fa;--plan-edge:#afb8c1;--plan-path:#0969da;\
font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}\
@media(prefers-color-scheme:dark){.psl-plan{--plan-page:#0d1117;--plan-ink:#e6edf3;--plan-faint:#8b949e;--plan-box:#161b22;\
--plan-edge:#484f58;--plan-path:#58a6ff}}\
.psl-plan .page{fill:var(--plan-page)}\
.psl-plan text{fill:var(--plan-ink)}.psl-plan .faint{fill:var(--plan-faint);font-size:10px}\
.psl-plan .head rect{fill:var(--plan-box);stroke:var(--plan-edge)}\
.psl-plan .path rect{stroke:var(--plan-path);stroke-width:2}\
.psl-plan .repeat{fill:none;stroke:var(--plan-faint);stroke-dasharray:4 3}\
.psl-plan .flow{fill:none;stroke:var(--plan-edge)}.psl-plan .flow.path{stroke:var(--plan-path);stroke-width:1.5}";

/// The positions of boxes, in pixels.
struct Places {
    left: usize,
    box_width: usize,
}

impl Places {
    fn x(&self, head: usize) -> usize {
        self.left + head * (self.box_width + GAP)
    }
}

fn y(layer: usize) -> usize {
    MARGIN + FRAME + layer * ROW
}

/// A plan as SVG, for light and dark. Each head has the attribute `data-production`: its number, from 1.
pub fn plan_picture(plan: &Plan, program: &Program) -> String {
    let nesting = plan.repeats.iter().map(|repeat| repeat.nesting + 1).max().unwrap_or_default();
    let characters = plan.productions.iter().map(|it| width(&it.name).max(width(&written(&it.writes)) * 6 / 7));
    let box_width = characters.max().unwrap_or_default() * CHARACTER + 2 * FRAME;
    let places = Places { left: MARGIN + NUMBERS + nesting * FRAME, box_width };
    let right = places.x(plan.schedule.width().max(1) - 1) + box_width;
    let mut lines = String::new();
    let bulge = flows_in(plan, program, &places, &mut lines);
    let repeats = plan.repeats.iter().map(|repeat| width(&repeat.name) * 6 + 60).max().unwrap_or_default();
    let total = (right + nesting * FRAME + bulge + MARGIN).max(places.left + repeats);
    let height = y(plan.schedule.depth()) + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"psl-plan\" viewBox=\"0 0 {total} {height}\" width=\"{total}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{}\">\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{total}\" height=\"{height}\"/>\n",
        escaped(&plan_summary(plan))
    );
    frames_in(plan, &places, right, &mut svg);
    svg.push_str(&lines);
    boxes_in(plan, &places, &mut svg);
    svg.push_str("</svg>\n");
    svg
}

fn frames_in(plan: &Plan, places: &Places, right: usize, svg: &mut String) {
    let deepest = plan.repeats.iter().map(|repeat| repeat.nesting).max().unwrap_or_default();
    for repeat in &plan.repeats {
        let outset = (deepest + 1 - repeat.nesting) * FRAME;
        let (x, top) = (places.left - outset, y(repeat.layers.start) - FRAME);
        let (width, height) = (right + outset - x, y(repeat.layers.end - 1) + BOX_HEIGHT + FRAME - top);
        let name = escaped(&repeat.name);
        let _ = writeln!(
            svg,
            "<rect class=\"repeat\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\"><title>repeat: {name}</title></rect>\
             <text class=\"faint\" x=\"{}\" y=\"{}\">repeat</text>",
            MARGIN,
            top + FRAME
        );
    }
}

/// Draws the lines, one for each pair of heads, and those of the critical path. Lines to a later head of the same
/// column pass the boxes on the right. Returns the space that they need there.
fn flows_in(plan: &Plan, program: &Program, places: &Places, svg: &mut String) -> usize {
    let mut registers: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for flow in plan.flows(program) {
        let name = program.registers[flow.register].name.as_str();
        registers.entry((flow.from, flow.to)).or_default().push(name);
    }
    let path = &plan.schedule.critical_path;
    let steps = path.iter().zip(path.iter().skip(1));
    let steps: Vec<(usize, usize)> = steps.map(|(from, to)| (*from, *to)).collect();
    for step in &steps {
        registers.entry(*step).or_default();
    }
    let mut most = 0;
    for (&(from, to), registers) in &registers {
        let place = |production: usize| plan.productions.get(production).map_or((0, 0), |named| named.place);
        let ((from_layer, from_head), (to_layer, to_head)) = (place(from), place(to));
        let curve = if from_head == to_head && to_layer > from_layer + 1 {
            let x = places.x(from_head) + places.box_width;
            let (y1, y2) = (y(from_layer) + BOX_HEIGHT / 2, y(to_layer) + BOX_HEIGHT / 2);
            let bulge = 24 + 8 * (to_layer - from_layer);
            most = most.max(bulge);
            format!("M{x} {y1}C{0} {y1} {0} {y2} {x} {y2}", x + bulge)
        } else {
            let middle = |head: usize| places.x(head) + places.box_width / 2;
            let (x1, y1, x2, y2) = (middle(from_head), y(from_layer) + BOX_HEIGHT, middle(to_head), y(to_layer));
            let bend = (ROW - BOX_HEIGHT) * (to_layer.saturating_sub(from_layer)).min(4) / 2;
            format!("M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}", y1 + bend, y2 - bend)
        };
        let class = if steps.contains(&(from, to)) { "flow path" } else { "flow" };
        let registers = if registers.is_empty() { String::new() } else { format!("{}: ", registers.join(", ")) };
        let title = format!("{registers}{} to {}", plan.name(from), plan.name(to));
        let _ = writeln!(svg, "<path class=\"{class}\" d=\"{curve}\"><title>{}</title></path>", escaped(&title));
    }
    most
}

fn boxes_in(plan: &Plan, places: &Places, svg: &mut String) {
    let path = &plan.schedule.critical_path;
    for (layer, heads) in plan.schedule.layers.iter().enumerate() {
        let (top, number) = (y(layer), layer + 1);
        let baseline = top + BOX_HEIGHT / 2 + 4;
        let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{baseline}\">{number}</text>");
        for (head, production) in heads.iter().enumerate() {
            let Some(named) = plan.productions.get(*production) else { continue };
            let x = places.x(head);
            let class = if path.binary_search(production).is_ok() { "head path" } else { "head" };
            let title = named.label.as_deref().unwrap_or(&named.name);
            let _ = writeln!(
                svg,
                "<g class=\"{class}\" data-production=\"{}\"><title>{}</title>\
                 <rect x=\"{x}\" y=\"{top}\" width=\"{}\" height=\"{BOX_HEIGHT}\" rx=\"4\"/>\
                 <text x=\"{}\" y=\"{}\">{}</text><text class=\"faint\" x=\"{}\" y=\"{}\">{}</text></g>",
                production + 1,
                escaped(title),
                places.box_width,
                x + FRAME,
                top + 15,
                escaped(&named.name),
                x + FRAME,
                top + 29,
                escaped(&written(&named.writes))
            );
        }
    }
}

/// The registers that a production writes, cut off if there are many.
fn written(registers: &[String]) -> String {
    let text = format!("→ {}", registers.join(", "));
    match text.char_indices().nth(MOST_WRITES) {
        Some(_) => format!("{}…", text.chars().take(MOST_WRITES - 1).collect::<String>()),
        None => text,
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
