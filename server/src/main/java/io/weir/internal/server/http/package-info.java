/** The HTTP listener: sign-in, sessions, health and metrics. */
@NullMarked
package io.weir.internal.server.http;

import org.jspecify.annotations.NullMarked;
