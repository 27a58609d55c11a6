package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;

/** A class with one limit for all its endpoints. */
@RateLimit(limit = 3, window = 60, by = By.ENDPOINT)
public class Shop {
  private final String name;

  public Shop() {
    this.name = "shop";
  }

  public String list() {
    return helper() + visibleInPackage() + visibleToHeirs();
  }

  public String buy() {
    return name;
  }

  public static String motto() {
    return "static";
  }

  @Unlimited
  public String doors() {
    return name;
  }

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  public String own() {
    return name;
  }

  String visibleInPackage() {
    return name;
  }

  protected String visibleToHeirs() {
    return name;
  }

  private String helper() {
    return name;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shop shop && shop.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
