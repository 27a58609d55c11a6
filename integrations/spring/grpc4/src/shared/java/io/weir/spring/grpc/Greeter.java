package io.weir.spring.grpc;

import io.grpc.stub.StreamObserver;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;

/** A service as a newcomer would write it. Spring couldn't make a proxy of it. */
@Service
@RateLimit(limit = 1000, window = 60, name = "greeter")
public final class Greeter extends GreeterBase {
  @Override
  @RateLimit(limit = 2, window = 60, by = By.USER, name = "hello")
  public void sayHello(String name, StreamObserver<String> answer) {
    answer.onNext("Hello " + SecurityContextHolder.getContext().getAuthentication().getName());
    answer.onCompleted();
  }

  @Override
  public StreamObserver<String> chat(StreamObserver<String> answers) {
    answers.onNext("Hello " + SecurityContextHolder.getContext().getAuthentication().getName());
    return new StreamObserver<>() {
      @Override
      public void onNext(String name) {
        throw new NobodyHere();
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "sign-ins")
  public void signIn(String name, StreamObserver<String> answer) {
    answer.onNext("Welcome");
    answer.onCompleted();
  }

  @Override
  @Unlimited
  public void free(String name, StreamObserver<String> answer) {
    answer.onNext("Hello");
    answer.onCompleted();
  }

  /** What the application's handler of exceptions translates. */
  static final class NobodyHere extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
