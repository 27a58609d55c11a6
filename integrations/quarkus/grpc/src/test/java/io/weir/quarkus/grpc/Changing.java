package io.weir.quarkus.grpc;

import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;

/** A service whose source the test of dev mode changes. */
@GrpcService
public class Changing extends TalkGrpc.TalkImplBase {
  @Override
  @RateLimit(limit = 1, window = 60)
  public void ask(Line line, StreamObserver<Line> answer) {
    answer.onNext(line);
    answer.onCompleted();
  }
}
