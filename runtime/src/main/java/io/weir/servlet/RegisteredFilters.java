package io.weir.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.List;

/** Finds the registered filters of a class. */
final class RegisteredFilters {
  private RegisteredFilters() {}

  static List<? extends FilterRegistration> of(
      Class<? extends Filter> type, ServletContext context) {
    return context.getFilterRegistrations().values().stream()
        .filter(each -> type.getName().equals(each.getClassName()))
        .toList();
  }
}
