package io.weir.quarkus.grpc;

import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.smallrye.common.annotation.Blocking;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Notes which calls reach it. */
@GrpcService
public class Counting extends TalkGrpc.TalkImplBase {
  static final Queue<String> CALLS = new ConcurrentLinkedQueue<>();

  @Override
  @RateLimit(limit = 1, window = 3600, by = By.USER, count = Count.SUCCESSES, name = "asked")
  public void ask(Line line, StreamObserver<Line> answer) {
    CALLS.add("ask");
    answer.onNext(line);
    answer.onCompleted();
  }

  @Override
  @Blocking
  @RateLimit(
      limit = 1,
      window = 3600,
      by = By.USER,
      name = "closed",
      onStoreFailure = OnStoreFailure.CLOSED)
  public void lecture(Line line, StreamObserver<Line> answers) {
    CALLS.add("lecture");
    answers.onNext(line);
    answers.onCompleted();
  }

  @Override
  @RateLimit(
      limit = 1,
      window = 3600,
      by = By.KEY,
      key = "header:user",
      count = Count.SUCCESSES,
      name = "chatted")
  public StreamObserver<Line> chat(StreamObserver<Line> answers) {
    CALLS.add("chat");
    return dictate(answers);
  }

  @Override
  @Blocking
  @RateLimit(limit = 1, window = 3600, by = By.USER, count = Count.SUCCESSES, name = "dictated")
  public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
    CALLS.add("dictate");
    return new StreamObserver<>() {
      @Override
      public void onNext(Line line) {}

      @Override
      public void onError(Throwable broken) {
        CALLS.add("broken");
      }

      @Override
      public void onCompleted() {
        answer.onNext(Line.getDefaultInstance());
        answer.onCompleted();
      }
    };
  }
}
