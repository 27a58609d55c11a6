package io.weir.quarkus.grpc;

import io.grpc.Status;
import io.quarkus.grpc.GrpcService;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.grpc.NotThere;
import io.weir.grpc.talk.Checks;
import io.weir.grpc.talk.Line;
import java.util.stream.Collectors;

/** The same service as Quarkus' generator has it. */
@GrpcService
public class MutinyChecks implements Checks {
  private static Uni<Line> answer(Line line) {
    return line.getText().equals("NOT_FOUND")
        ? Uni.createFrom().failure(Status.NOT_FOUND.asRuntimeException())
        : Uni.createFrom().item(line);
  }

  private static Uni<Line> answerLater(Line line) {
    return Uni.createFrom()
        .item(line)
        .emitOn(Infrastructure.getDefaultExecutor())
        .flatMap(MutinyChecks::answer);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "by-address")
  public Uni<Line> byAddress(Line line) {
    return answer(line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "by-user")
  public Uni<Line> byUser(Line line) {
    return answer(line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "by-key")
  public Uni<Line> byKey(Line line) {
    return answer(line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  public Uni<Line> async(Line line) {
    return answerLater(line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  public Uni<Line> mapped(Line line) {
    return Uni.createFrom().failure(new NotThere());
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "lecture")
  public Multi<Line> lecture(Line line) {
    return Multi.createFrom().items(line, line, line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "dictate")
  public Uni<Line> dictate(Multi<Line> lines) {
    return lines
        .collect()
        .asList()
        .map(
            all ->
                Line.newBuilder()
                    .setText(all.stream().map(Line::getText).collect(Collectors.joining(" ")))
                    .build());
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "chat")
  public Multi<Line> chat(Multi<Line> lines) {
    return lines;
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  public Uni<Line> failures(Line line) {
    return answer(line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  public Uni<Line> failuresAsync(Line line) {
    return answerLater(line);
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  public Uni<Line> unmapped(Line line) {
    return Uni.createFrom().failure(Status.ABORTED.asRuntimeException());
  }

  @Override
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  public Uni<Line> unmappedSuccess(Line line) {
    throw new IllegalStateException("unmapped");
  }

  @Override
  public Uni<Line> free(Line line) {
    return answer(line);
  }
}
