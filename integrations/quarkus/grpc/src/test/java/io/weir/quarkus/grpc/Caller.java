package io.weir.quarkus.grpc;

import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.weir.grpc.talk.ChecksGrpc;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A caller of the service {@code Talk}. */
final class Caller {
  private final ManagedChannel channel;
  private final Metadata sent;

  Caller(ManagedChannel channel, Metadata sent) {
    this.channel = channel;
    this.sent = sent;
  }

  /** Returns one behind another address. */
  Caller from(String address) {
    Metadata more = new Metadata();
    more.merge(sent);
    more.put(Metadata.Key.of("x-forwarded-for", Metadata.ASCII_STRING_MARSHALLER), address);
    return new Caller(channel, more);
  }

  TalkGrpc.TalkStub stub() {
    return TalkGrpc.newStub(
            ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(sent)))
        .withDeadlineAfter(1, TimeUnit.MINUTES);
  }

  ChecksGrpc.ChecksStub checks() {
    return ChecksGrpc.newStub(
            ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(sent)))
        .withDeadlineAfter(1, TimeUnit.MINUTES);
  }

  static Line line(String text) {
    return Line.newBuilder().setText(text).build();
  }

  /** Collects the answers to a call. */
  static final class Answers implements StreamObserver<Line> {
    final List<String> heard = new CopyOnWriteArrayList<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();
    final Metadata trailers = new Metadata();

    @Override
    public void onNext(Line line) {
      heard.add(line.getText());
    }

    @Override
    public void onError(Throwable failure) {
      Metadata got = Status.trailersFromThrowable(failure);
      if (got != null) {
        trailers.merge(got);
      }
      end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      end.complete(Status.OK);
    }

    Status.Code code() throws Exception {
      return end.get(1, TimeUnit.MINUTES).getCode();
    }
  }

  Status.Code ask() throws Exception {
    Answers answers = new Answers();
    stub().ask(line("hello"), answers);
    return answers.code();
  }

  Status.Code lecture() throws Exception {
    Answers answers = new Answers();
    stub().lecture(line("hello"), answers);
    return answers.code();
  }

  Status.Code dictate() throws Exception {
    Answers answers = new Answers();
    say(stub().dictate(answers), 1);
    return answers.code();
  }

  Answers chat(int lines) throws Exception {
    Answers answers = new Answers();
    say(stub().chat(answers), lines);
    answers.code();
    return answers;
  }

  private static void say(StreamObserver<Line> lines, int times) {
    IntStream.range(0, times).forEach(each -> lines.onNext(line("line " + each)));
    lines.onCompleted();
  }
}
