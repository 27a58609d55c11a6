package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.ChecksGrpc;
import io.weir.grpc.talk.Line;
import java.util.concurrent.CompletableFuture;

/** A service with a method for each check, whose limits are three a minute. */
public class Checked extends ChecksGrpc.ChecksImplBase {
  private final Talker talker = new Talker();

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "by-address")
  public void byAddress(Line line, StreamObserver<Line> answer) {
    talker.ask(line, answer);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "by-user")
  public void byUser(Line line, StreamObserver<Line> answer) {
    talker.ask(line, answer);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "by-key")
  public void byKey(Line line, StreamObserver<Line> answer) {
    talker.ask(line, answer);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  public void async(Line line, StreamObserver<Line> answer) {
    CompletableFuture.runAsync(() -> talker.ask(line, answer));
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  public void mapped(Line line, StreamObserver<Line> answer) {
    throw new NotThere();
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "lecture")
  public void lecture(Line line, StreamObserver<Line> answers) {
    talker.lecture(line, answers);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "dictate")
  public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
    return talker.dictate(answer);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "chat")
  public StreamObserver<Line> chat(StreamObserver<Line> answers) {
    return talker.chat(answers);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  public void failures(Line line, StreamObserver<Line> answer) {
    talker.ask(line, answer);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  public void failuresAsync(Line line, StreamObserver<Line> answer) {
    CompletableFuture.runAsync(() -> talker.ask(line, answer));
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  public void unmapped(Line line, StreamObserver<Line> answer) {
    throw Status.ABORTED.asRuntimeException(new Metadata()); // which gRPC ignores
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  public void unmappedSuccess(Line line, StreamObserver<Line> answer) {
    throw new IllegalStateException("unmapped");
  }

  @Override
  public void free(Line line, StreamObserver<Line> answer) {
    talker.ask(line, answer);
  }
}
