;;; What psl-mode makes of a program without a server, as JSON in the file $OUT.  -*- lexical-binding: t -*-
;; For each line its indent, the one that the mode gives, and each character's face; and what imenu lists.

(require 'imenu)
(find-file (car command-line-args-left))
(setq command-line-args-left nil)
(font-lock-ensure)

(let (lines)
  (save-excursion
    (goto-char (point-min))
    (while (not (eobp))
      (let ((text (buffer-substring-no-properties (point) (line-end-position))))
        (push (list (cons 'text text)
                    (cons 'indent (current-indentation))
                    (cons 'wanted (psl--indentation))
                    (cons 'faces
                          (vconcat (mapcar (lambda (at) (format "%s" (get-text-property at 'face)))
                                           (number-sequence (point) (1- (line-end-position)))))))
              lines))
      (forward-line)))
  (let ((imenu (mapcar #'car (imenu--make-index-alist))) (mode (symbol-name major-mode)))
    (with-temp-file (getenv "OUT")
      (insert (json-serialize (list (cons 'mode mode)
                                    (cons 'lines (vconcat (nreverse lines)))
                                    (cons 'imenu (vconcat imenu))))))))
