package io.weir.internal.control.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;

/** Tells Jackson which members are {@link OmittedIfNull}. Immutable. */
final class OmissionIntrospector extends NopAnnotationIntrospector {
  private static final long serialVersionUID = 1;

  @Override
  public JsonInclude.Value findPropertyInclusion(Annotated member) {
    return member.hasAnnotation(OmittedIfNull.class)
        ? JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS)
        : JsonInclude.Value.empty();
  }
}
