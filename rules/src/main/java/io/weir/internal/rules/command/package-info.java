/** The command line: exports the rulebook as a file, and applies a file. */
@NullMarked
package io.weir.internal.rules.command;

import org.jspecify.annotations.NullMarked;
