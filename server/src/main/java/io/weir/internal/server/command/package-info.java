/** The commands of the server's program, such as {@code token new}. */
@NullMarked
package io.weir.internal.server.command;

import org.jspecify.annotations.NullMarked;
