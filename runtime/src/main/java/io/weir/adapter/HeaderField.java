package io.weir.adapter;

/**
 * A header field of a response.
 *
 * <p>Immutable.
 *
 * @param name the field's name
 * @param value its value, printable ASCII
 */
public record HeaderField(String name, String value) {}
