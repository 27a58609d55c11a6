/** Authenticates and answers calls, alike for all gRPC services. */
@NullMarked
package io.weir.internal.server.grpc.call;

import org.jspecify.annotations.NullMarked;
