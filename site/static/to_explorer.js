// SPDX-License-Identifier: Apache-2.0
// The first page's field: opens the Explorer with what is pasted, behind the address's #, which no server gets.
addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.to-explorer");
  if (form === null) return;
  const field = form.querySelector("textarea");
  const open = () => location.assign(`${form.action}#shape=${encodeURIComponent(field.value || field.placeholder)}`);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    open();
  });
});
