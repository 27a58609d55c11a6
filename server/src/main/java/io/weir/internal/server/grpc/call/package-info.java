/** What all calls over gRPC have in common: who may make them, and how they are answered. */
@NullMarked
package io.weir.internal.server.grpc.call;

import org.jspecify.annotations.NullMarked;
