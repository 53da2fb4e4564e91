;;; psl-mode.el --- Major mode for PSL, the Production System Language  -*- lexical-binding: t -*-

;; Version: 0.3.0
;; URL: https://github.com/OWNER/psl
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages

;;; Commentary:

;; Highlighting, indentation like that of `psl fmt', comments and imenu.  Registers the language server, `psl lsp', with
;; eglot and lsp-mode.  `psl-explore' opens the explorer.

;;; Code:

(defgroup psl nil
  "PSL, the Production System Language."
  :group 'languages)

(defcustom psl-indent-offset 4
  "Number of columns per level of indentation.  `psl fmt' uses 4."
  :type 'natnum
  :safe #'natnump)

(defvar psl-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?' "\"" table)
    (modify-syntax-entry ?_ "_" table)
    table))

;;; Colors

(defconst psl--declarations '("registers" "constants" "system" "watch"))
(defconst psl--keywords
  (append psl--declarations '("where" "where_lm" "where_rm" "and" "not" "in" "repeat" "until" "NO_CHANGE")))
(defconst psl--functions '("pos_increment" "pos_decrement"))
(defconst psl--roles '("symbol" "position" "output" "parse" "eop"))

(defconst psl--word
  (rx (or (seq symbol-start (any "A-Za-z_") (* (any "A-Za-z0-9_")))
          (seq (? "-") (+ digit) (? "." (+ digit)))
          (seq "\"" (* (or (seq "\\" nonl) (not (any "\"\\\n")))) (or "\"" eol))
          (seq "'" (* (or (seq "\\" nonl) (not (any "'\\\n")))) (or "'" eol))))
  "A name, a number or a string.")

(defconst psl--quote-alone
  (rx (or (seq (or "#" "//") (* nonl))
          (seq "\"" (* (or (seq "\\" nonl) (not (any "\"\\\n")))) "\"")
          (seq "'" (* (or (seq "\\" nonl) (not (any "'\\\n")))) "'")
          (group (any "\"'"))))
  "A comment, a string, or a quote that is not closed on its line.")

(defun psl--propertize (start end)
  "Limit strings from START to END to their lines.
  A quote that is not closed on its line does not start a string."
  (goto-char start)
  (while (re-search-forward psl--quote-alone end t)
    (when (match-beginning 1)
      (put-text-property (match-beginning 1) (match-end 1) 'syntax-table (string-to-syntax "."))
      (end-of-line))))

(defconst psl--label-end
  (rx bol (* (* blank) (or "#" "//") "@" (* nonl) "\n") (* blank) (or "where" "where_lm" "where_rm" "repeat") symbol-end)
  "The lines after a label: directives and the start of a statement.")

(defun psl--word-before (position)
  "The name before POSITION, or nil.  Skip blanks and a colon."
  (save-excursion
    (goto-char position)
    (skip-chars-backward " \t\n\r:")
    (let ((end (point)))
      (skip-chars-backward "A-Za-z0-9_")
      (and (< (point) end) (buffer-substring-no-properties (point) end)))))

(defun psl--char-before (position)
  "The character before POSITION, skipping blanks."
  (save-excursion
    (goto-char position)
    (skip-chars-backward " \t\n\r")
    (char-before)))

(defun psl--declared-face (declaration start word)
  "The face of WORD at START inside DECLARATION."
  (let ((value (eq (psl--char-before start) ?:)))
    (pcase declaration
      ("registers" (if value 'font-lock-string-face 'font-lock-variable-name-face))
      ("constants" (cond ((not value) 'font-lock-constant-face)
                         ((memq (aref word 0) '(?\" ?')) 'font-lock-string-face)
                         (t 'font-lock-constant-face)))
      ("system" (cond (value 'font-lock-variable-name-face)
                      ((member word psl--roles) 'font-lock-builtin-face)))
      ("watch" 'font-lock-variable-name-face))))

(defun psl--face (start end word)
  "The face of WORD from START to END, outside comments, or nil."
  (let* ((open (nth 1 (syntax-ppss start)))
         (before (and open (psl--word-before open))))
    (cond
     ((and open (member before psl--declarations)) (psl--declared-face before start word))
     ((and open (eq (char-after open) ?\[) (not (equal before "in")))
      (pcase word ("n" 'font-lock-variable-name-face) ("N" 'font-lock-type-face)))
     ((or (member word psl--keywords) (equal (downcase word) "causal_attn")) 'font-lock-keyword-face)
     ((save-excursion (goto-char end) (looking-at "[ \t]*\\[[ \t]*[N?][ \t]*\\][ \t]*=\\(?:[^=]\\|$\\)"))
      'font-lock-function-name-face)
     ((save-excursion (goto-char end) (looking-at-p "[ \t]*\\[")) 'font-lock-variable-name-face)
     ((and (memq (aref word 0) '(?\" ?'))
           (not (and (> (length word) 1) (eq (aref word 0) (aref word (1- (length word)))))))
      'font-lock-string-face)
     ((eq (psl--char-before start) ?@) (and (member word psl--functions) 'font-lock-builtin-face))
     ((and (member word '("true" "false" "reverse")) (eq (psl--char-before start) ?:)) 'font-lock-keyword-face)
     (t 'font-lock-constant-face))))

(defvar psl--found-face nil "The face of the word found last.")

(defun psl--next-word (limit)
  "Find the next word before LIMIT that has a face, and store the face."
  (let ((case-fold-search nil) found)
    (while (and (not found) (re-search-forward psl--word limit t))
      (let ((start (match-beginning 0)) (end (match-end 0)))
        (save-match-data
          (if (nth 4 (syntax-ppss start))
              (goto-char (min limit (line-end-position)))
            (setq found (psl--face start end (buffer-substring-no-properties start end)))
            (goto-char end)))))
    (setq psl--found-face found)))

(defun psl--comment-face (state)
  "The face of the string or comment at STATE."
  (save-excursion
    (goto-char (nth 8 state))
    (cond
     ((nth 3 state) 'font-lock-string-face)
     ((looking-at-p "\\(?:#\\|//\\)@") 'font-lock-preprocessor-face)
     ((and (save-excursion (skip-chars-backward " \t") (bolp))
           (zerop (forward-line 1))
           (let ((case-fold-search nil)) (looking-at-p psl--label-end)))
      'font-lock-doc-face)
     (t 'font-lock-comment-face))))

(defconst psl--font-lock-keywords
  `((psl--next-word 0 psl--found-face t)
    ;; In directives: strings, the variables of `law', the registers of `input' and `answer', and the reason of `allow'.
    ("\\(?:#\\|//\\)@.*"
     (,(rx (or (seq "\"" (* (or (seq "\\" nonl) (not (any "\"\\\n")))) "\"")
               (seq "'" (* (or (seq "\\" nonl) (not (any "'\\\n")))) "'")))
      (psl--to-directive) nil (0 'font-lock-string-face t)))
    ("\\(?:#\\|//\\)@[ \t]*law[ \t][^\"'\n]*"
     (psl--next-variable nil nil (1 'font-lock-variable-name-face t)))
    ("\\(?:#\\|//\\)@[ \t]*\\(?:input\\|answer\\)\\_>"
     ("\\_<[A-Za-z_][A-Za-z0-9_]*" nil nil (0 'font-lock-variable-name-face t)))
    ("\\(?:#\\|//\\)@[ \t]*allow\\(?:-file\\)?[ \t]+[^ \t:\n]+[ \t]*\\(:.*\\)" 1 'font-lock-comment-face t)))

(defun psl--to-directive ()
  "Go back to the start of the matched directive and return its end."
  (goto-char (match-beginning 0))
  (line-end-position))

(defun psl--next-variable (limit)
  "Find the next variable of a law before LIMIT."
  (let (found)
    (while (and (not found)
                (re-search-forward "[ \t\"']\\(\\$[A-Za-z_][A-Za-z0-9_]*\\)\\(?:\\.\\.[0-9]*\\)?" limit t))
      (setq found (looking-at-p "[ \t\"']")))
    found))

(defvar font-lock-beg)

(defun psl--extend-to-comments-above ()
  "Start font lock at the comments above, which may have become labels."
  (let ((start font-lock-beg))
    (save-excursion
      (goto-char start)
      (while (and (zerop (forward-line -1)) (looking-at-p "[ \t]*\\(?:#\\|//\\)"))
        (setq font-lock-beg (point))))
    (< font-lock-beg start)))

;;; Indentation

(defconst psl--statement-start
  "[ \t]*\\(where\\|where_lm\\|where_rm\\|repeat\\|until\\|[cC][aA][uU][sS][aA][lL]_[aA][tT][tT][nN]\\)\\_>")
(defconst psl--declaration-start "[ \t]*\\(registers\\|constants\\|system\\|watch\\)[ \t]*[:{[\n]")
(defconst psl--comment-line "[ \t]*\\(?:#\\|//\\)")

(defun psl--in-brackets ()
  "Whether point is in braces or brackets that open on a line above."
  (let ((open (nth 1 (syntax-ppss))))
    (while (and open (eq (char-after open) ?\())
      (setq open (nth 1 (syntax-ppss open))))
    (and open (< open (line-beginning-position)))))

(defun psl--head ()
  "Go up to the start of the statement or declaration and return its first word."
  (let (head)
    (while (and (not head) (zerop (forward-line -1)))
      (setq head (and (or (looking-at psl--statement-start) (looking-at psl--declaration-start)) (match-string 1))))
    head))

(defun psl--continues ()
  "Whether the code above this line ends with `and' or `until'."
  (save-excursion
    (beginning-of-line)
    (forward-comment (- (point-max)))
    (member (psl--word-before (point)) '("and" "until"))))

(defun psl--code-indentation (empty)
  "The indentation of the code on this line, or of new code if EMPTY."
  (save-excursion
    (beginning-of-line)
    (let* ((case-fold-search nil)
           (statement (and (not empty) (looking-at psl--statement-start) (match-string 1)))
           (declaration (and (not empty) (looking-at-p psl--declaration-start)))
           (closes (and (not empty) (looking-at-p "[ \t]*[]}]")))
           (in-brackets (and (not closes) (psl--in-brackets)))
           (continues (psl--continues))
           (head (and (not declaration) (psl--head)))
           (in-repeat (equal head "repeat"))
           (margin (current-indentation))
           (step psl-indent-offset))
      (cond
       ((null head) 0)
       ((member head psl--declarations) (if (and in-brackets (not statement)) step 0))
       ((equal statement "until") (if in-repeat margin (max 0 (- margin step))))
       (statement (if in-repeat (+ margin step) margin))
       (t (+ margin
             (if (or in-repeat closes in-brackets continues (string-prefix-p "where" head)) step 0)
             (if in-brackets step 0)))))))

(defun psl--indentation ()
  "The indentation of this line.
  A comment is indented like the code below it, or stays with the code above."
  (save-excursion
    (beginning-of-line)
    (if (not (looking-at-p psl--comment-line))
        (psl--code-indentation nil)
      (let ((inside (psl--code-indentation t)) (current (current-indentation)))
        (forward-comment (point-max))
        (if (or (eobp) (= current inside) (looking-at-p "until\\_>\\|[]}]"))
            inside
          (psl--code-indentation nil))))))

(defun psl-indent-line ()
  "Indent this line like `psl fmt'."
  (interactive)
  (let ((column (psl--indentation)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;; The mode

(defconst psl--imenu
  `((nil ,(concat "^[ \t]*\\(?:#+\\|//+\\)[ \t]*\\([^@ \t\n].*\\)\n\\(?:[ \t]*\\(?:#\\|//\\)@.*\n\\)*"
                  "[ \t]*\\(?:where\\|where_lm\\|where_rm\\|repeat\\)\\_>")
         1)
    ("Test" "^[ \t]*\\(?:#\\|//\\)@[ \t]*\\(?:test\\|law\\)[ \t]+\\([^\"' \t\n]+\\)" 1))
  "Productions and repeat blocks by label, and tests by name.")

;;;###autoload
(define-derived-mode psl-mode prog-mode "PSL"
  "Major mode for PSL, the Production System Language."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "\\(?:#+\\|//+\\)[ \t]*")
  (setq-local font-lock-defaults
              '(psl--font-lock-keywords nil nil nil (font-lock-syntactic-face-function . psl--comment-face)))
  (setq-local syntax-propertize-function #'psl--propertize)
  (add-hook 'font-lock-extend-region-functions #'psl--extend-to-comments-above nil t)
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'psl-indent-line)
  (setq-local electric-indent-chars (append "]}:" electric-indent-chars))
  (setq-local imenu-generic-expression psl--imenu)
  (setq-local imenu-case-fold-search nil))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.psl\\'" . psl-mode))

;;; The language server

(defvar eglot-server-programs)
(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "ext:lsp-mode" (client))
(declare-function lsp-stdio-connection "ext:lsp-mode" (command &optional test-command))
(declare-function lsp-activate-on "ext:lsp-mode" (&rest languages))
(declare-function make-lsp-client "ext:lsp-mode" (&rest settings))
(declare-function lsp-request "ext:lsp-mode" (method params &rest options))
(declare-function lsp--text-document-identifier "ext:lsp-mode" ())
(declare-function eglot-current-server "ext:eglot" ())
(declare-function eglot--TextDocumentIdentifier "ext:eglot" ())
(declare-function jsonrpc-request "jsonrpc" (connection method params &rest options))

;;;###autoload
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(psl-mode . ("psl" "lsp"))))

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(psl-mode . "psl"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("psl" "lsp"))
                    :activation-fn (lsp-activate-on "psl")
                    :server-id 'psl)))

;;;###autoload
(defun psl-explore ()
  "Open the explorer on the last prompt that was run, or on the first test.
If Emacs does not open a browser, the address of the page is a message."
  (interactive)
  (let ((command (lambda (document) (list :command "psl.explore" :arguments (vector document)))))
    (cond ((bound-and-true-p lsp-mode)
           (lsp-request "workspace/executeCommand" (funcall command (lsp--text-document-identifier))))
          ((and (fboundp 'eglot-current-server) (eglot-current-server))
           (jsonrpc-request
            (eglot-current-server) :workspace/executeCommand (funcall command (eglot--TextDocumentIdentifier))))
          (t (user-error "No language server runs for this buffer: start one with `eglot' or `lsp'")))))

;;; The debugger

(defvar dape-configs)
(declare-function dap-register-debug-provider "ext:dap-mode" (language-id provide-configuration-fn))
(declare-function dap-register-debug-template "ext:dap-mode" (configuration-name configuration-settings))
(declare-function dap--cur-session-or-die "ext:dap-mode" ())
(declare-function dap--step "ext:dap-mode" (cmd debug-session))

(defvar psl--debugged-prompts nil "The prompts of earlier debug sessions.")

(defun psl--debug-configuration (given)
  "Complete the configuration GIVEN with adapter, program and prompt."
  (let* ((program (or (plist-get given :program) (buffer-file-name)))
         (buffer (find-buffer-visiting program))
         (prompted (or (plist-get given :prompt) (plist-get given :promptJson) (plist-get given :test))))
    (append
     (list :program program)
     (when buffer
       (list :text (with-current-buffer buffer
                     (save-restriction (widen) (buffer-substring-no-properties (point-min) (point-max))))))
     (unless prompted (list :prompt (read-string "Prompt: " nil 'psl--debugged-prompts)))
     (unless (plist-get given :dap-server-path) (list :dap-server-path '("psl" "dap")))
     given)))

(with-eval-after-load 'dap-mode
  (dap-register-debug-provider "psl" #'psl--debug-configuration)
  (dap-register-debug-template "PSL: run on prompt" '(:type "psl" :request "launch" :stopOnEntry t))
  (dap-register-debug-template "PSL: first test" '(:type "psl" :request "launch" :test 1 :stopOnEntry t)))

(with-eval-after-load 'dape
  (add-to-list 'dape-configs
               '(psl modes (psl-mode) command "psl" command-args ("dap") command-cwd dape-command-cwd
                     :type "psl" :request "launch" :program dape-buffer-default :stopOnEntry t)))

;;;###autoload
(defun psl-step-back ()
  "Go to the layer before, in the debugger."
  (interactive)
  (dap--step "stepBack" (dap--cur-session-or-die)))

;;;###autoload
(defun psl-reverse-continue ()
  "Go to the breakpoint before or to the start of the run, in the debugger."
  (interactive)
  (dap--step "reverseContinue" (dap--cur-session-or-die)))

(provide 'psl-mode)
;;; psl-mode.el ends here
