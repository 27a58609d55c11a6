package io.weir.internal.control;

import io.weir.internal.control.openapi.OpenApiDocument;
import io.weir.internal.control.rest.DecisionResource;
import io.weir.internal.control.rest.ForwardResource;
import io.weir.internal.control.rest.OpenApiResource;
import java.util.ArrayList;
import java.util.List;

/** All resources of the feature: a new one has its line here. */
final class ControlResources {
  private ControlResources() {}

  /** Makes them, each once; they are safe for concurrent use. */
  static List<Object> all(ControlContext context) {
    List<Object> all = new ArrayList<>();
    all.add(new DecisionResource(context.weir(), context.rules()));
    all.add(new ForwardResource(context.weir()));
    List<Class<?>> described = new ArrayList<>(types(all));
    described.add(OpenApiResource.class);
    all.add(new OpenApiResource(OpenApiDocument.of(described)));
    return List.copyOf(all);
  }

  /** Their classes. */
  static List<Class<?>> types(List<Object> resources) {
    List<Class<?>> types = new ArrayList<>();
    for (Object each : resources) {
      types.add(each.getClass());
    }
    return types;
  }
}
