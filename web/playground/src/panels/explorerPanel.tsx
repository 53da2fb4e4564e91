// The explorer in a frame, created when it is first shown: whole, or the part that draws a compiled form.
import { useEffect, useRef } from 'preact/hooks';
import { explorerFrame } from '../offline/parts';
import { asFile, formInView } from '../page/layout';
import { complain } from '../page/notices';
import { movePane } from '../page/panes';
import { CompiledPanel } from './compiledPanel';
import { created, failure, listen } from './explorer';

export function ExplorerPanel() {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => listen(() => frame.current, movePane), []);
  useEffect(() => {
    if (created.value && frame.current) void explorerFrame(frame.current).catch(complain);
  }, [created.value]);
  const form = formInView.value;
  const isFile = form !== null && asFile.value;
  return (
    <div class="explorer">
      {form !== null && (
        <p class="row form-head">
          <span class="grow caption">{isFile ? <>The same as <code>psl compile --emit {form}</code></> : 'Follows the cursor'}</span>
          <label><input type="checkbox" checked={isFile} onChange={() => { asFile.value = !isFile; }} />As a file</label>
        </p>
      )}
      {isFile && <CompiledPanel key={form} form={form} />}
      {failure.value !== null && !isFile && <p class="message warn">The explorer shows an earlier program: {failure.value}</p>}
      <iframe ref={frame} title="Explorer" hidden={isFile} />
    </div>
  );
}
