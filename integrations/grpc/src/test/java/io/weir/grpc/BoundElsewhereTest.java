package io.weir.grpc;

/**
 * The checks again, of a server that binds its services itself, runs calls in its event loops, and
 * finds users later: as Quarkus does.
 */
class BoundElsewhereTest extends ChecksTest {
  @Override
  String stack() {
    return "gRPC on Netty, bound elsewhere";
  }

  @Override
  TalkServer.Options options() {
    TalkServer.Options options = new TalkServer.Options();
    options.boundElsewhere = true;
    options.inEventLoop = true;
    return options;
  }
}
