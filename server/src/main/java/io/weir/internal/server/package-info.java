/** The decision service: a process that decides for other programs. */
@NullMarked
package io.weir.internal.server;

import org.jspecify.annotations.NullMarked;
