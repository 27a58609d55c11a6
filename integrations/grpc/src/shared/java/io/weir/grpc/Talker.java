package io.weir.grpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import java.util.ArrayList;
import java.util.List;

/**
 * A service without limits of its own. The first line of a call may name the status to end with.
 */
public class Talker extends TalkGrpc.TalkImplBase {
  @Override
  public void ask(Line question, StreamObserver<Line> answer) {
    end(question, answer, 1);
  }

  @Override
  public void lecture(Line subject, StreamObserver<Line> lines) {
    end(subject, lines, 3);
  }

  private static void end(Line line, StreamObserver<Line> answers, int times) {
    for (Status.Code each : Status.Code.values()) {
      if (line.getText().equals(each.name())) {
        answers.onError(each.toStatus().asRuntimeException());
        return;
      }
    }
    for (int i = 0; i < times; i++) {
      answers.onNext(line);
    }
    answers.onCompleted();
  }

  @Override
  public StreamObserver<Line> dictate(StreamObserver<Line> answer) {
    List<String> heard = new ArrayList<>();
    return new StreamObserver<>() {
      @Override
      public void onNext(Line line) {
        heard.add(line.getText());
      }

      @Override
      public void onError(Throwable broken) {}

      @Override
      public void onCompleted() {
        answer.onNext(Line.newBuilder().setText(String.join(" ", heard)).build());
        answer.onCompleted();
      }
    };
  }

  @Override
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
}
