/** The gRPC listener. */
@NullMarked
package io.weir.internal.server.grpc;

import org.jspecify.annotations.NullMarked;
