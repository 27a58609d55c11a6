package io.weir.grpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.weir.grpc.talk.Line;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The answers to a call. */
final class Lines implements StreamObserver<Line> {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  /** A call of some method. */
  interface Call {
    Status.Code with(TalkServer.Client client) throws Exception;
  }

  /** Says all lines at once. */
  static Lines chat(TalkServer.Client client, String... said) {
    Lines answers = new Lines();
    say(client.async().chat(answers), said);
    return answers;
  }

  /** Says all lines at once. */
  static Lines dictate(TalkServer.Client client, String... said) {
    Lines answers = new Lines();
    say(client.async().dictate(answers), said);
    return answers;
  }

  /** Says all lines at once. */
  static void say(StreamObserver<Line> lines, String... said) {
    for (String each : said) {
      lines.onNext(TalkServer.line(each));
    }
    lines.onCompleted();
  }

  @Override
  public void onNext(Line line) {
    heard.add(line.getText());
  }

  @Override
  public void onError(Throwable failure) {
    end.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }

  /** Waits for the end. */
  Status status() throws Exception {
    return end.get(1, TimeUnit.MINUTES);
  }

  boolean isEnded() {
    return end.isDone();
  }

  /** Waits for the end, and returns the answers. */
  List<String> heard() throws Exception {
    status();
    return heard;
  }

  /** Returns the answers of a call that has succeeded. */
  List<String> all() throws Exception {
    if (!status().isOk()) {
      throw new AssertionError(status());
    }
    return heard;
  }
}
