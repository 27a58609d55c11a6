package io.weir.quarkus.grpc;

import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.security.Authenticated;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.grpc.PerMessage;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** A service for those who have signed in, or may have. */
@GrpcService
public class Vault extends TalkGrpc.TalkImplBase {
  @Inject Desk desk;

  @Override
  @Blocking
  @Authenticated
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "login")
  public void ask(Line line, StreamObserver<Line> answer) {
    answer.onNext(line);
    answer.onCompleted();
  }

  @Override
  @Blocking
  @RateLimit(limit = 1, window = 60, by = By.USER, name = "mine")
  public void lecture(Line line, StreamObserver<Line> answers) {
    answers.onNext(line);
    answers.onCompleted();
  }

  /** Calls a limited bean, in a worker thread. */
  @Override
  @Blocking
  public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(Line line) {
        try {
          answer.onNext(Line.newBuilder().setText(desk.serve(line.getText())).build());
          answer.onCompleted();
        } catch (RuntimeException refused) {
          answer.onError(refused);
        }
      }

      @Override
      public void onError(Throwable broken) {}

      @Override
      public void onCompleted() {}
    };
  }

  @Override
  @PerMessage
  @RateLimit(limit = 2, window = 60, by = By.USER, name = "lines")
  public StreamObserver<Line> chat(StreamObserver<Line> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(Line line) {
        answers.onNext(line);
      }

      @Override
      public void onError(Throwable broken) {}

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  /** A bean that services call. */
  @Singleton
  public static class Desk {
    @RateLimit(limit = 1, window = 60, by = By.USER, name = "desk")
    public String serve(String line) {
      return line;
    }

    @RateLimit(limit = 1, window = 60, by = By.USER, name = "desk-later")
    public Uni<String> serveLater(String line) {
      return Uni.createFrom().item(line);
    }
  }
}
