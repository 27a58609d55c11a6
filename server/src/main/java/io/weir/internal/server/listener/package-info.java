/** Listens for one protocol: the type that all listeners share, their settings and limits. */
@NullMarked
package io.weir.internal.server.listener;

import org.jspecify.annotations.NullMarked;
