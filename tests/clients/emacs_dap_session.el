;;; A session in Emacs with dap-mode: a run forward and backward in time.  -*- lexical-binding: t -*-
;; Run by test_emacs.py with the program as the first argument.

(package-initialize)
(require 'dap-mode)
(setq lsp-auto-guess-root t dap-auto-configure-features nil dap-auto-show-output nil
      dap-breakpoints-file (expand-file-name "breakpoints" temporary-file-directory)
      lsp-session-file (expand-file-name "lsp-session" temporary-file-directory))

(load (expand-file-name "emacs_steps.el" (file-name-directory load-file-name)) nil t)

;; The names of the frames of a stop, innermost first.
(defun frames ()
  (let ((session (dap--cur-session)))
    (mapcar (lambda (frame) (gethash "name" frame))
            (gethash 1 (dap--debug-session-thread-stack-frames session)))))

(defconst first "P0: start with no region, no type, and a field of one's own")
(defconst second "Ppre-1: copy position and symbol from the left")
(defconst spread "P2a: copy XQ from the left")

;; Waits for a stop in a cell of a production, and checks that point is on the production.
(defun stops-at (cell label)
  (await (and (equal (seq-take (frames) 2) (list cell label))
              (dap--debug-session-active-frame (dap--cur-session))))
  (equals (buffer-file-name) program)
  (equals (save-excursion (forward-line -1) (back-to-indentation) (looking-at-p (regexp-quote (concat "# " label)))) t))

(defun start (template)
  (dap-debug (copy-tree (cdr (assoc template dap-debug-template-configurations)))))

(setq program (expand-file-name (car command-line-args-left)) command-line-args-left nil)
(find-file program)

(step "a session runs the text of the buffer on a prompt"
  (goto-char (point-max))
  (insert "# not saved\n")
  (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "Q a A a . Q b A")))
    (start "PSL: run on prompt"))
  (stops-at "cell 1 (Q)" first)
  (equals (string-suffix-p "# not saved\n" (plist-get (dap--debug-session-launch-args (dap--cur-session)) :text)) t))

(step "next goes to the next layer, and step in to the next cell"
  (dap-next (dap--cur-session))
  (stops-at "cell 1 (Q)" second)
  (dap-step-in (dap--cur-session))
  (stops-at "cell 2 (a)" second))

(step "psl-step-back goes to the layer before"
  (psl-step-back)
  (stops-at "cell 2 (a)" first))

(step "an expression has a value"
  (let (shown)
    (cl-letf (((symbol-function 'dap-overlays--display-interactive-eval-result) (lambda (value _) (setq shown value))))
      (dap-eval "symbol[3]")
      (equals (await shown) "A"))))

(step "a breakpoint stops the run in both directions"
  (go-to (concat "# " spread))
  (forward-line 1)
  (dap-breakpoint-add)
  (dap-continue (dap--cur-session) 1)
  (stops-at "cell 2 (a)" spread)
  (dap-next (dap--cur-session))
  (await (dap--debug-session-active-frame (dap--cur-session)))
  (psl-reverse-continue)
  (stops-at "cell 2 (a)" spread)
  (dap-breakpoint-delete-all)
  (psl-reverse-continue)
  (stops-at "cell 1 (Q)" first))

(step "a session ends"
  (dap-disconnect (dap--cur-session))
  (await (not (dap--session-running (dap--cur-session)))))

(step "a test is debugged"
  (start "PSL: first test")
  (stops-at "cell 1 (Q)" first))

(set-buffer-modified-p nil)
(kill-emacs (min failures 1))
