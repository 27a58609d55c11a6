/** The console's pages in a real browser. */
@org.jspecify.annotations.NullMarked
package io.weir.compat.console;
