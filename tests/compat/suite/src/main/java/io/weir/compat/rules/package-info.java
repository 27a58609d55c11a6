/** Tests the rules of a database over HTTP: a test for each sentence of the page about rules. */
@NullMarked
package io.weir.compat.rules;

import org.jspecify.annotations.NullMarked;
