;;; A session in Emacs with eglot: break, inspect and fix a program.  -*- lexical-binding: t -*-
;; Run by test_emacs.py with the program as the first argument.

(package-initialize)
(require 'eglot)

(setq eglot-sync-connect 20 eglot-confirm-server-initiated-edits nil)

(load (expand-file-name "emacs_steps.el" (file-name-directory load-file-name)) nil t)

;; Reports the first different line.
(defun as-it-was ()
  (cl-mapc (lambda (got expected) (equals got expected)) (split-string (whole) "\n") (split-string sound "\n"))
  (unless (equal (whole) sound) (error "different number of lines")))

;; The timers of flymake do not run in batch mode.
(defun errors ()
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (accept-process-output nil 0.02)
  (seq-filter (lambda (found) (eq (flymake-diagnostic-type found) 'eglot-error)) (flymake-diagnostics)))

(setq program (car command-line-args-left) command-line-args-left nil)
(find-file program)
(setq sound (whole))

(step "the mode is that of PSL"
  (equals major-mode 'psl-mode))

(step "the server attaches"
  (apply #'eglot--connect (eglot--guess-contact))
  (await (eglot-managed-p)))

(step "a misspelled name is an error"
  (await (null (errors)))
  (swap "prev_region[N] == XA" "prev_regon[N] == XA")
  (let ((found (car (await (errors)))))
    (equals (buffer-substring-no-properties (flymake-diagnostic-beg found) (flymake-diagnostic-end found)) "prev_regon")))

(step "the quick fix corrects the name"
  (go-to "prev_regon" 2)
  (let ((action (car (eglot-code-actions (point) (point) "quickfix" nil))))
    (eglot--apply-workspace-edit (plist-get action :edit)))
  (await (null (errors)))
  (as-it-was))

(step "columns are correct after characters of two units"
  (swap "constants: {XQ" "constants: {'🙂', 'e\u0301', XQX")
  (let ((found (car (await (errors)))))
    (ignore found)
    (go-to "XQX")
    (let ((definition (car (xref-backend-definitions 'eglot "LSP identifier at point."))))
      (equals (xref-location-line (xref-item-location definition)) (line-number-at-pos))
      (equals (xref-file-location-column (xref-item-location definition)) (current-column))))
  (swap "constants: {'🙂', 'e\u0301', XQX" "constants: {XQ")
  (await (null (errors))))

(step "a production has a hover"
  (go-to "where prev_position[N] == 0")
  (let* ((hover (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)))
         (shown (eglot--format-markup (plist-get hover :contents))))
    (unless (string-match-p "[Ll]ayer 3" shown) (error "%s" shown))))

(step "registers are completed"
  (swap "    region[N] = R_INIT" "    region[N] = R_INIT\n    prev_re")
  (go-to "\n    prev_re\n" (length "\n    prev_re"))
  (let* ((found (eglot-completion-at-point))
         (labels (all-completions "prev_re" (nth 2 found))))
    (unless (member "prev_region" labels) (error "%S" labels)))
  (swap "    region[N] = R_INIT\n    prev_re" "    region[N] = R_INIT"))

(step "the buffer is formatted"
  (swap "    region[N] = R_INIT" "region[N]=R_INIT  ")
  (eglot-format-buffer)
  (as-it-was))

(step "some lines are formatted"
  (swap "    region[N] = R_INIT" "region[N]=R_INIT  ")
  (go-to "region[N]=R_INIT")
  (eglot-format (line-beginning-position) (line-end-position))
  (as-it-was))

(step "go to the declaration of a name"
  (go-to "where prev_position[N] == 0" 8)
  (let ((definition (car (xref-backend-definitions 'eglot "LSP identifier at point."))))
    (goto-char (point-min))
    (search-forward "    prev_position: 'p*'")
    (equals (xref-location-line (xref-item-location definition)) (line-number-at-pos))))

(step "list the uses of a name"
  (go-to "where prev_position[N] == 0" 8)
  (unless (> (length (xref-backend-references 'eglot "LSP identifier at point.")) 3) (error "too few")))

(step "a register is renamed"
  (go-to "where prev_position[N] == 0" 8)
  (eglot-rename "position_before")
  (go-to "    position_before: 'p*'")
  (await (null (errors)))
  (go-to "position_before[N]")
  (eglot-rename "prev_position")
  (as-it-was))

(step "imenu lists productions by label"
  (let ((listed (format "%S" (eglot-imenu))))
    (unless (string-match-p "P0: start with no region" listed) (error "%s" listed))))

(step "the explorer has an address"
  (let ((url (plist-get (psl-explore) :url)))
    (unless (string-match-p "\\`http://127\\.0\\.0\\.1:" url) (error "%S" url))))

(step "the server is shut down"
  (eglot-shutdown (eglot--current-server-or-lose)))

(set-buffer-modified-p nil)
(kill-emacs (min failures 1))
