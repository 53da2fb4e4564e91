;;; A session in Emacs with lsp-mode: break, inspect and fix a program.  -*- lexical-binding: t -*-
;; Run by test_emacs.py with the program as the first argument.

(package-initialize)
(require 'lsp-mode)
(setq lsp-auto-guess-root t lsp-enable-snippet nil lsp-enable-file-watchers nil lsp-headerline-breadcrumb-enable nil
      lsp-diagnostics-provider :none lsp-completion-provider :none lsp-modeline-code-actions-enable nil
      lsp-session-file (expand-file-name "lsp-session" temporary-file-directory))

(load (expand-file-name "emacs_steps.el" (file-name-directory load-file-name)) nil t)

;; The codes and 1-based lines of the errors.
(defun errors ()
  (mapcar (lambda (found) (list (lsp:diagnostic-code? found)
                                (1+ (lsp:position-line (lsp:range-start (lsp:diagnostic-range found))))))
          (seq-filter (lambda (found) (eql (lsp:diagnostic-severity? found) 1)) (lsp--get-buffer-diagnostics))))

(setq program (car command-line-args-left) command-line-args-left nil)
(find-file program)
(setq sound (whole))

(step "the server attaches"
  (equals major-mode 'psl-mode)
  (lsp-workspace-folders-add default-directory)
  (lsp)
  (await (and (lsp-workspaces) (eq (lsp--workspace-status (car (lsp-workspaces))) 'initialized))))

(step "a misspelled name is an error until it is corrected"
  (swap "prev_region[N] == XA" "prev_regon[N] == XA")
  (let ((line (line-number-at-pos)))
    (equals (await (errors)) `(("unknown-register" ,line))))
  (swap "prev_regon[N] == XA" "prev_region[N] == XA")
  (await (null (errors)))
  (equals (whole) sound))

(step "a production has a hover"
  (go-to "where prev_position[N] == 0")
  (let ((hover (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
    (unless (string-match-p "[Ll]ayer 3" (lsp:markup-content-value (lsp:hover-contents hover))) (error "%S" hover))))

(step "the buffer is formatted"
  (swap "    region[N] = R_INIT" "region[N]=R_INIT  ")
  (lsp-format-buffer)
  (equals (whole) sound))

(step "a register is renamed"
  (go-to "where prev_position[N] == 0" 8)
  (lsp-rename "position_before")
  (go-to "position_before[N]")
  (lsp-rename "prev_position")
  (equals (whole) sound))

(step "the explorer has an address"
  (let ((url (lsp-get (psl-explore) :url)))
    (unless (string-match-p "\\`http://127\\.0\\.0\\.1:" url) (error "%S" url))))

(step "the server is shut down"
  (lsp-workspace-shutdown (car (lsp-workspaces))))

(set-buffer-modified-p nil)
(kill-emacs (min failures 1))
