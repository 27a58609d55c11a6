/** Runs the snippets and commands of pages in docs as they stand there. */
@NullMarked
package io.weir.test.pages;

import org.jspecify.annotations.NullMarked;
