package io.weir.internal.control;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.access.AccessFeature;
import io.weir.internal.control.events.EventsHeadRejectionFilter;
import io.weir.internal.control.events.GoneReaderFilter;
import io.weir.internal.control.http.ControlPaths;
import io.weir.internal.control.http.EntityWriter;
import io.weir.internal.control.http.ErrorDocumentFilter;
import io.weir.internal.control.http.JsonBodyReader;
import io.weir.internal.control.http.ProblemMapper;
import io.weir.internal.control.settings.SignInAddress;
import io.weir.rules.Rules;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;

/** Puts the parts of the feature together. Safe for concurrent use. */
public final class ControlAssembly {
  /** Runs before the application's own response filters, which may compress or log the body. */
  private static final int INNERMOST = Priorities.USER + 5_000;

  /** Overrides the application's mappers of the same exceptions. */
  private static final int FIRST = 1;

  private final WeirRuntime weir;
  private final Rules rules;
  private volatile boolean isEnding;

  public ControlAssembly(Weir weir, Rules rules) {
    this.weir = WeirRuntime.of(weir);
    this.rules = rules;
  }

  public void endStreams() {
    isEnding = true;
  }

  /**
   * Registers all parts.
   *
   * @throws IllegalArgumentException if a setting of the API is invalid
   */
  public void register(FeatureContext context) {
    SignInAddress.check(weir::setting);
    List<Object> resources =
        new ControlResources(weir, rules, () -> !isEnding && weir.isOpen(), Ticker.system()).all();
    List<Class<?>> types = ControlResources.types(resources);
    ControlPaths paths = new ControlPaths(types);
    resources.forEach(context::register);
    context.register(new AccessFeature(types, weir::setting));
    context.register(new EventsHeadRejectionFilter());
    context.register(new GoneReaderFilter());
    context.register(new JsonBodyReader());
    context.register(new EntityWriter());
    context.register(
        new ErrorDocumentFilter(paths, () -> SignInAddress.of(weir::setting)), INNERMOST);
    for (ProblemMapper<?> each : ProblemMapper.all(paths)) {
      context.register(each, FIRST);
    }
  }
}
