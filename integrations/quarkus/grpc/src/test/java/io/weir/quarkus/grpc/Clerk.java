package io.weir.quarkus.grpc;

import io.quarkus.grpc.GrpcService;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Checks;
import io.weir.grpc.talk.Line;
import jakarta.inject.Inject;

/** A service whose methods call limited beans in every way. */
@GrpcService
public class Clerk implements Checks {
  @Inject Vault.Desk desk;
  @Inject SecurityIdentity identity;

  private static Line line(String text) {
    return Line.newBuilder().setText(text).build();
  }

  @Override
  public Uni<Line> async(Line line) {
    return desk.serveLater(line.getText()).map(Clerk::line);
  }

  @Override
  @Blocking
  public Uni<Line> mapped(Line line) {
    return Uni.createFrom().item(line(desk.serve(line.getText())));
  }

  /** Waits in an event loop, of which the log warns. */
  @Override
  public Uni<Line> free(Line line) {
    return Uni.createFrom().item(line(desk.serve(line.getText())));
  }

  @Override
  @RateLimit(limit = 100, window = 60, by = By.USER, name = "who")
  public Uni<Line> byUser(Line line) {
    return Uni.createFrom().item(line(identity.getPrincipal().getName()));
  }

  @Override
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:Host", name = "authority")
  public Uni<Line> byKey(Line line) {
    return Uni.createFrom().item(line);
  }

  @Override
  public Uni<Line> byAddress(Line line) {
    return Uni.createFrom().item(line);
  }

  @Override
  public Multi<Line> lecture(Line line) {
    return Multi.createFrom().items(line);
  }

  @Override
  public Uni<Line> dictate(Multi<Line> lines) {
    return lines.collect().last();
  }

  @Override
  public Multi<Line> chat(Multi<Line> lines) {
    return lines;
  }

  @Override
  public Uni<Line> failures(Line line) {
    return Uni.createFrom().item(line);
  }

  @Override
  public Uni<Line> failuresAsync(Line line) {
    return Uni.createFrom().item(line);
  }

  @Override
  public Uni<Line> unmapped(Line line) {
    return Uni.createFrom().item(line);
  }

  @Override
  public Uni<Line> unmappedSuccess(Line line) {
    return Uni.createFrom().item(line);
  }
}
