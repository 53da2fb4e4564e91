;;; Helpers for the sessions in Emacs: each step prints "ok NAME" or "not ok NAME: REASON".  -*- lexical-binding: t -*-

(defvar failures 0)

(defmacro step (name &rest body)
  `(condition-case why
       (progn ,@body (princ (format "ok %s\n" ,name)))
     (error (setq failures (1+ failures))
            (princ (format "not ok %s: %S\n" ,name why)))))

(defmacro await (condition)
  `(with-timeout (20 (error "timeout: %S" ',condition))
     (let (value)
       (while (not (setq value ,condition)) (accept-process-output nil 0.02))
       value)))

(defun equals (got expected)
  (unless (equal got expected) (error "got %S, expected %S" got expected)))

(defun go-to (text &optional offset)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) (or offset 0))))

;; One change, so that no server sees the text without both.
(defun swap (old new)
  (go-to old)
  (replace-match new t t))

(defun whole () (buffer-substring-no-properties (point-min) (point-max)))
