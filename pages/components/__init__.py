"""Widgets that pages share; Streamlit makes no pages of these modules."""
