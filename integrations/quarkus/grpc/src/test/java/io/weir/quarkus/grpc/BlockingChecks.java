package io.weir.quarkus.grpc;

import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.smallrye.common.annotation.Blocking;
import io.weir.grpc.Checked;
import io.weir.grpc.talk.Line;

/** Runs in worker threads, as far as it declares the methods. It inherits its limits. */
@GrpcService
@Blocking
public class BlockingChecks extends Checked {
  @Override
  public void byAddress(Line line, StreamObserver<Line> answer) {
    super.byAddress(line, answer);
  }

  @Override
  public void byUser(Line line, StreamObserver<Line> answer) {
    super.byUser(line, answer);
  }

  @Override
  public void byKey(Line line, StreamObserver<Line> answer) {
    super.byKey(line, answer);
  }

  @Override
  public void async(Line line, StreamObserver<Line> answer) {
    super.async(line, answer);
  }

  @Override
  public void mapped(Line line, StreamObserver<Line> answer) {
    super.mapped(line, answer);
  }

  @Override
  public void lecture(Line line, StreamObserver<Line> answer) {
    super.lecture(line, answer);
  }

  @Override
  public void failures(Line line, StreamObserver<Line> answer) {
    super.failures(line, answer);
  }

  @Override
  public void failuresAsync(Line line, StreamObserver<Line> answer) {
    super.failuresAsync(line, answer);
  }

  @Override
  public void unmapped(Line line, StreamObserver<Line> answer) {
    super.unmapped(line, answer);
  }

  @Override
  public void unmappedSuccess(Line line, StreamObserver<Line> answer) {
    super.unmappedSuccess(line, answer);
  }

  @Override
  public void free(Line line, StreamObserver<Line> answer) {
    super.free(line, answer);
  }

  @Override
  public StreamObserver<Line> dictate(StreamObserver<Line> answers) {
    return super.dictate(answers);
  }

  @Override
  public StreamObserver<Line> chat(StreamObserver<Line> answers) {
    return super.chat(answers);
  }
}
