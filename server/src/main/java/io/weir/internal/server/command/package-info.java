/** What people type. */
@NullMarked
package io.weir.internal.server.command;

import org.jspecify.annotations.NullMarked;
