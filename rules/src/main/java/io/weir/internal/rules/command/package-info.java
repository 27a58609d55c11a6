/** The command line: exports the rulebook as a file, applies a file, changes the access list. */
@NullMarked
package io.weir.internal.rules.command;

import org.jspecify.annotations.NullMarked;
