/** Rules of a database over HTTP: a test for each sentence of what the page of rules says. */
@NullMarked
package io.weir.compat.rules;

import org.jspecify.annotations.NullMarked;
