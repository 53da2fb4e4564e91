// The explorer in a frame, created when it is first shown.
import { useEffect, useRef } from 'preact/hooks';
import { explorerFrame } from '../offline/parts';
import { complain } from '../page/notices';
import { movePane } from '../page/panes';
import { created, failure, listen } from './explorer';

export function ExplorerPanel() {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => listen(() => frame.current, movePane), []);
  useEffect(() => {
    if (created.value && frame.current) void explorerFrame(frame.current).catch(complain);
  }, [created.value]);
  return (
    <div class="explorer">
      {failure.value !== null && <p class="message warn">The explorer shows an earlier program: {failure.value}</p>}
      <iframe ref={frame} title="Explorer" />
    </div>
  );
}
