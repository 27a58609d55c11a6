package io.weir.quarkus.grpc;

import io.quarkus.grpc.GrpcService;
import io.weir.grpc.Checked;

/** Runs in event loops. It inherits its limits. */
@GrpcService
public class PlainChecks extends Checked {}
