/** The command line: takes the rulebook out as a file, and brings a file in. */
@NullMarked
package io.weir.internal.rules.command;

import org.jspecify.annotations.NullMarked;
